/** @jsxImportSource preact */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";

function App() {
  const [items, setItems] = useState([]);
  useEffect(() => { fetch("items.json").then((answer) => answer.json()).then(setItems); }, []);
  return <ul>{items.map((item) => <li><a href={item.href}>{item.title}</a></li>)}</ul>;
}

render(<App />, document.getElementById("app"));
