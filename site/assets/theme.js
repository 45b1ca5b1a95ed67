// Before the first paint: the theme that the reader chose.
try {
  const theme = localStorage.getItem('techne-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser without storage has the theme of the system.
}
document.documentElement.classList.add('scripts');
