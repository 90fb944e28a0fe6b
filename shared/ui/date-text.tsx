import { useLabels } from '../labels/labels-context.ts';

/** A date in the site's zone. 00:00 UTC means a date without a time and zone. */
export function DateText({ date }: { date: string }) {
  const labels = useLabels();
  const time = Date.parse(date);
  if (Number.isNaN(time)) return null;
  const iso = new Date(time).toISOString();
  const zone = iso.endsWith('T00:00:00.000Z') ? 'UTC' : undefined;
  return <time dateTime={iso.slice(0, 10)}>{labels.date(time, zone)}</time>;
}
