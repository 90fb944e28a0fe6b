export { default } from '../site/panel/panel.mjs';
