import { useLabels } from '../labels/labels-context.ts';

/** A date as the locale writes it. A text that is not a date renders nothing. */
export function DateText({ date }: { date: string }) {
  const labels = useLabels();
  const time = Date.parse(date);
  if (Number.isNaN(time)) return null;
  return <time dateTime={new Date(time).toISOString().slice(0, 10)}>{labels.date(time)}</time>;
}
