import { lazy, Suspense } from "react";
import { createRoot } from "react-dom/client";

const App = lazy(() => import("./react_list.jsx"));
createRoot(document.getElementById("app")).render(<Suspense fallback="..."><App /></Suspense>);
