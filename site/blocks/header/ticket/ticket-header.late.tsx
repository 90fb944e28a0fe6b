import type { BlockData } from '../../../../shared/content/landing.ts';
import { useLabels } from '../../../../shared/labels/labels-context.ts';
import { contentText } from '../../../../shared/ui/content-text.tsx';
import type { header } from '../header.block.ts';
import type { HeaderViewProps, TicketMapData } from '../header-data.ts';
import styles, { stylesheet } from './ticket-header.late.module.css';

export { stylesheet };

type Ticket = BlockData<typeof header>['tickets'][number];

/** Shows the texts, and beside them a ticket with what a visitor gets. Buttons switch it without a script. */
export default function TicketHeader({ data: { tickets, ticketMap }, texts }: HeaderViewProps) {
  const labels = useLabels();
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="late" />
      <div className={`el-frame ${styles.frame}`}>
        {texts}
        <fieldset className={styles.stage}>
          <legend className="el-visually-hidden">{labels.text('examples')}</legend>
          {ticketMap ? <World map={ticketMap} /> : null}
          {tickets.map((ticket, index) => (
            <div key={ticket.title} className={styles.example}>
              <label className={styles.tab}>
                <input type="radio" name="ticket" defaultChecked={index === 0} className={styles.choice} />
                {ticket.title}
              </label>
              <TicketCard ticket={ticket} />
              {ticketMap ? <Corridor map={ticketMap} index={index} /> : null}
            </div>
          ))}
        </fieldset>
      </div>
    </>
  );
}

const viewBoxOf = ({ width, height }: TicketMapData): string => `0 0 ${width} ${height}`;

function World({ map }: { map: TicketMapData }) {
  return (
    <svg className={styles.world} viewBox={viewBoxOf(map)} aria-hidden="true">
      <path className={styles.dots} d={map.dots} strokeDasharray={`0 ${map.spacing}`} />
      {map.others.map(corridor => (
        <path key={corridor} className={styles.other} d={corridor} />
      ))}
      {map.names.map(({ name, x, y }) => (
        <g key={name}>
          <path className={styles.place} d={`M${x} ${y}h0`} />
          <text className={styles.name} x={x} y={y - 10}>
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Corridor({ map, index }: { map: TicketMapData; index: number }) {
  const corridor = map.tickets[index];
  return corridor ? (
    <svg className={styles.corridor} viewBox={viewBoxOf(map)} aria-hidden="true">
      <path d={corridor.line} />
      <path className={styles.ends} d={corridor.ends} />
    </svg>
  ) : null;
}

function TicketCard({ ticket: { amountLabel, amount, by, lines } }: { ticket: Ticket }) {
  return (
    <div className={styles.ticket}>
      <div className={styles.head}>
        {contentText(amountLabel, styles.label)}
        <p className={styles.amount} dir="auto">
          {amount}
        </p>
        {contentText(by, styles.by)}
      </div>
      {lines.length > 0 ? (
        <dl className={styles.lines}>
          {lines.map(({ title, text }) => (
            <div key={title} className={styles.line}>
              <dt>{title}</dt>
              <dd className={styles.value}>{text}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  );
}
