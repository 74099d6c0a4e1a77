import { renderToString } from "react-dom/server";
import { App } from "./react_list.jsx";

export const renderApp = (given) => renderToString(<App given={given} />);
