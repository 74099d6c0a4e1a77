import { useEffect, useState } from "react";

export function List({ items }) {
  return <ul>{items.map((item) => (
    <li key={item.href}><a href={item.href}>{item.title}</a></li>
  ))}</ul>;
}

export function App({ given = [] }) {
  const [items, setItems] = useState(given);
  useEffect(() => {
    if (given.length === 0) fetch("items.json").then((answer) => answer.json()).then(setItems);
  }, []);
  return <main><h1>React</h1><List items={items} /></main>;
}

export default App;
