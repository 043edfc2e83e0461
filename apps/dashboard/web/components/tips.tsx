import { useEffect, useRef } from 'react';
import classes from './tips.module.css';

const GAP = 6;

/** Shows the `data-tip` of what has the focus or the pointer. One element for the page, because a list has hundreds. */
export function Tips() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = box.current;
    if (shown === null) return;
    let owner: HTMLElement | null = null;
    const hide = () => shown.hidePopover();
    const place = (anchor: HTMLElement) => {
      const [at, own] = [anchor.getBoundingClientRect(), shown.getBoundingClientRect()];
      const above = at.top - own.height - GAP;
      shown.style.top = `${above > 0 ? above : at.bottom + GAP}px`;
      shown.style.left = `${Math.max(GAP, Math.min(at.left, window.innerWidth - own.width - GAP))}px`;
    };
    const show = ({ target, type }: Event) => {
      if (!(target instanceof Element) || target === shown) return;
      const inside = type === 'focusin' ? target.querySelector<HTMLElement>('[data-tip]') : null;
      owner = target.closest<HTMLElement>('[data-tip]') ?? inside;
      if (owner === null || !target.matches('a, button, [data-tip], [data-tip] *')) return hide();
      shown.textContent = owner.dataset.tip ?? '';
      shown.showPopover();
      place(owner);
    };
    // The element with the focus keeps its tip: the browser scrolls to it when it takes the focus.
    const onScroll = () => (owner?.contains(document.activeElement) ? place(owner) : hide());
    const onEscape = ({ key }: KeyboardEvent) => key === 'Escape' && hide();
    const listening = new AbortController();
    const { signal } = listening;
    for (const event of ['pointerover', 'focusin']) document.addEventListener(event, show, { signal });
    document.addEventListener('focusout', hide, { signal });
    document.addEventListener('keydown', onEscape, { signal });
    window.addEventListener('scroll', onScroll, { signal, capture: true, passive: true });
    return () => listening.abort();
  }, []);
  return <div ref={box} popover="manual" className={classes.tip} aria-hidden="true" />;
}
