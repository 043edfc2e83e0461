import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { setNonce } from 'get-nonce';

/** The nonce of this response: the server writes it into the page, and the Content-Security-Policy names it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

export const styleNonce = (): string => nonce;

/** For the styles that a dialog adds while it keeps the page behind it from scrolling. */
export const allowDialogStyles = (): void => setNonce(nonce);

export const theme = createTheme({
  primaryColor: 'indigo',
  // The default shades have less contrast than WCAG asks for (4.5 to 1).
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'system-ui, sans-serif',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // A link in a text differs from it by more than its color.
  components: { Anchor: { defaultProps: { underline: 'always' } } },
});

export const readableColors: CSSVariablesResolver = (colors) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.colors.gray[7],
    '--mantine-color-placeholder': colors.colors.gray[7],
    '--mantine-color-error': colors.colors.red[9],
    '--mantine-color-anchor': colors.colors.indigo[8],
    '--mantine-color-indigo-light-hover': colors.colors.indigo[1],
  },
  dark: {
    '--mantine-color-dimmed': colors.colors.dark[1],
    '--mantine-color-placeholder': colors.colors.dark[1],
    '--mantine-color-error': colors.colors.red[4],
    '--mantine-color-anchor': colors.colors.indigo[3],
  },
});
