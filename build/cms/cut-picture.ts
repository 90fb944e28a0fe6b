const VIEW = /<view id="([\w-]+)" viewBox="([^"]+)"\/>/g;
const PART = /^<g transform="translate\(([-\d. ]+)\)">/;

/**
 * Cuts one picture out of an SVG file with many, such as `flags.svg#cl`: an editor's media picker takes whole files. Each picture of such a
 * file is one line, which begins with `<g transform="translate(x y)">` at the place of its view.
 * @throws Error if the file has no view of this name.
 */
export function cutPicture(svg: string, id: string): string {
  const viewBox = [...svg.matchAll(VIEW)].find(view => view[1] === id)?.[2];
  if (viewBox === undefined) throw new Error(`The file has no picture '${id}'`);
  const [x, y] = viewBox.split(' ');
  const lines = svg
    .split('\n')
    .filter(line => !line.startsWith('<view '))
    .filter(line => {
      const place = PART.exec(line)?.[1];
      return place === undefined || place === `${x} ${y}`;
    });
  return lines.join('\n').replace(/viewBox="[^"]*"/, `viewBox="${viewBox}"`);
}
