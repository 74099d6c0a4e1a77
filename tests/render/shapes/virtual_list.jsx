import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const ROW = 20;

// Has only the rows that are in view.
function VirtualList({ items }) {
  const [top, setTop] = useState(0);
  const first = Math.floor(top / ROW);
  const shown = items.slice(first, first + Math.ceil(innerHeight / ROW));
  return (
    <div style={{ height: "100vh", overflow: "auto" }}
      onScroll={(event) => setTop(event.target.scrollTop)}>
      <div style={{ height: items.length * ROW, position: "relative" }}>
        {shown.map((item, i) => (
          <a key={item.href} href={item.href}
            style={{ position: "absolute", top: (first + i) * ROW }}>{item.title}</a>
        ))}
      </div>
    </div>
  );
}

function App() {
  const [items, setItems] = useState([]);
  useEffect(() => { fetch("items.json").then((answer) => answer.json()).then(setItems); }, []);
  return <VirtualList items={items} />;
}

createRoot(document.getElementById("app")).render(<App />);
