// Runs before the first paint, so that a chosen theme does not flash in after it.
try {
  const theme = localStorage.getItem('session-reference-demo-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be forbidden; the system's theme is used then.
}
