import { createApp, h, onMounted, ref } from "vue";
import { createRouter, createWebHistory, RouterLink, RouterView } from "vue-router";

const Overview = {
  setup() {
    const items = ref([]);
    onMounted(async () => { items.value = await (await fetch("items.json")).json(); });
    return () => items.value.map((item) => h(
      RouterLink, { to: item.href.replace("/vue_routes", "") }, () => item.title));
  },
};
const Item = { render: () => h("p", "an item") };
const router = createRouter({
  history: createWebHistory("/vue_routes/"),
  routes: [{ path: "/", component: Overview }, { path: "/item/:number", component: Item }],
});
createApp({ render: () => h(RouterView) }).use(router).mount("#app");
