/** The last heading above this part of the window's height begins the section that is being read. */
const READING_LINE = 1 / 3;

export function startMarkingSections(): void {
  let frame = 0;
  function mark(): void {
    frame = 0;
    const links = [...document.querySelectorAll<HTMLAnchorElement>('.el-table-of-contents a')];
    const current = links.findLast(({ hash }) => {
      const heading = document.getElementById(decodeURIComponent(hash.slice(1)));
      return heading && heading.getBoundingClientRect().top < innerHeight * READING_LINE;
    });
    for (const link of links) {
      if (link === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }
  document.addEventListener('scroll', () => (frame ||= requestAnimationFrame(mark)), { passive: true });
  mark();
}
