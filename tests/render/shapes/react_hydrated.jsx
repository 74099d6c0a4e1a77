import { hydrateRoot } from "react-dom/client";
import { App } from "./react_list.jsx";

hydrateRoot(document.getElementById("app"), <App given={globalThis.GIVEN} />);
