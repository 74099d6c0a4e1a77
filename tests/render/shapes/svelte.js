import { mount } from "svelte";
import SvelteList from "./svelte_list.svelte";

mount(SvelteList, { target: document.getElementById("app") });
