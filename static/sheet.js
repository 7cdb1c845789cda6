/* The button that prints a posted sheet. */
document.querySelector("button.print")?.addEventListener("click", () => window.print());
