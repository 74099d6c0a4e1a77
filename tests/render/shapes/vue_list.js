import { h, onMounted, ref } from "vue";

export const App = {
  setup() {
    const items = ref([]);
    onMounted(async () => { items.value = await (await fetch("items.json")).json(); });
    return () => h("ul", items.value.map(
      (item) => h("li", h("a", { href: item.href }, item.title))));
  },
};
