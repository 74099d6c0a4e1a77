import { html, LitElement } from "lit";

// Its links are in an open shadow root.
class ItemList extends LitElement {
  static properties = { items: { attribute: false } };

  constructor() {
    super();
    this.items = [];
    fetch("items.json").then((answer) => answer.json()).then((items) => { this.items = items; });
  }

  render() {
    return html`${this.items.map((item) => html`<a href=${item.href}>${item.title}</a>`)}`;
  }
}

customElements.define("item-list", ItemList);
document.getElementById("app").append(document.createElement("item-list"));
