import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Link, Navigate, Route, Routes } from "react-router-dom";

function Overview() {
  const [items, setItems] = useState([]);
  useEffect(() => { fetch("items.json").then((answer) => answer.json()).then(setItems); }, []);
  return items.map((item) => (
    <Link key={item.href} to={item.href.replace("/react_routes", "")}>{item.title}</Link>
  ));
}

createRoot(document.getElementById("app")).render(
  <BrowserRouter basename="/react_routes">
    <Routes>
      <Route path="/" element={<Navigate to="/overview" />} />
      <Route path="/overview" element={<Overview />} />
    </Routes>
  </BrowserRouter>,
);
