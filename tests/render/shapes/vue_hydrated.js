import { createSSRApp } from "vue";
import { App } from "./vue_list.js";

createSSRApp(App).mount("#app");
