/**
 * Gives the focus back to what has it now, when the returned function is called. If that is gone by then, or disappears
 * with the change that a dialog made, what was around it gets the focus: the page would begin at its top otherwise.
 */
export const keepFocus = (): (() => void) => {
  const before = document.activeElement;
  const around: HTMLElement[] = [];
  for (let element = before?.parentElement; element; element = element.parentElement) around.push(element);
  return () => {
    if (before instanceof HTMLElement) before.focus();
    const rescue = (): void => {
      if (document.activeElement !== document.body) return;
      const left = around.find(({ isConnected }) => isConnected);
      if (left === undefined || left === document.body) return;
      left.tabIndex = -1;
      left.focus({ preventScroll: true });
    };
    rescue();
    const observer = new MutationObserver(rescue);
    observer.observe(document.body, { childList: true, subtree: true });
    const stop = (): void => {
      // The rescue itself moves it.
      if (document.activeElement === before || around.includes(document.activeElement as HTMLElement)) return;
      observer.disconnect();
      document.removeEventListener('focusin', stop);
    };
    document.addEventListener('focusin', stop);
  };
};
