import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { setNonce } from 'get-nonce';

/** The nonce of this response: the server writes it into the page, and the Content-Security-Policy names it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

export const styleNonce = (): string => nonce;

/** For the styles with which a dialog keeps the page behind it from scrolling. */
export const allowDialogStyles = (): void => setNonce(nonce);

export const theme = createTheme({
  primaryColor: 'indigo',
  // The default shades have less contrast than WCAG asks for (4.5 to 1).
  primaryShade: { light: 8, dark: 8 },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.375rem' },
  headings: { fontWeight: '600', sizes: { h2: { fontSize: '1.375rem' }, h4: { fontSize: '1rem' } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A link in a text differs from it by more than its color.
    Anchor: { defaultProps: { underline: 'always' } },
    Button: { defaultProps: { size: 'xs' } },
  },
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
