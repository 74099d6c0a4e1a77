import { createApp } from "vue";
import { App } from "./vue_list.js";

createApp(App).mount("#app");
