import { createRoot } from "react-dom/client";
import { App } from "./react_list.jsx";

createRoot(document.getElementById("app")).render(<App />);
