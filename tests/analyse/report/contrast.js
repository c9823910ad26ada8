// What a reader looks at: [name, ratio of its colour to what is behind it, as WCAG 2 counts].
(() => {
  const parts = colour => colour.match(/[\d.]+/g).map(Number);
  const linear = value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = colour => {
    const [red, green, blue] = parts(colour).slice(0, 3).map(value => linear(value / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = element => {
    for (; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor;
      if (parts(colour)[3] !== 0) return colour;
    }
  };
  const names = [
    "body", "header p", ".soft", "a", "button", "td:not(.sev)", ".sev span", "th", ".tiles b", "#shown", "summary", ".denied b", ".allowed b",
  ];
  return names.map(name => {
    const element = document.querySelector(name);
    const pair = [light(getComputedStyle(element).color), light(behind(element))].sort((one, other) => other - one);
    return [name, (pair[0] + 0.05) / (pair[1] + 0.05)];
  });
})()
