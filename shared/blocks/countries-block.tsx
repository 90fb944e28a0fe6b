import { CountText } from '../labels/count-text.tsx';
import { useLabels } from '../labels/labels-context.ts';
import type { HomeData, ShownCountry } from '../payload/payload.ts';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import styles from './countries-block.module.css';
import { SectionHeading } from './section-heading.tsx';

function CountryName({ country }: { country: ShownCountry }) {
  return (
    <>
      <span className={styles.flag}>
        {country.icon ? (
          <img src={country.icon} alt="" width={28} height={20} loading="lazy" className={styles.icon} />
        ) : null}
      </span>
      <span>{country.title}</span>
    </>
  );
}

/** The countries that receive payments, in the given columns. */
export function CountriesBlock({ countries }: { countries: HomeData['countries'] }) {
  const labels = useLabels();
  const columns = countries.filter(column => column.length > 0);
  const count = columns.reduce((sum, column) => sum + column.length, 0);
  if (count === 0) return null;
  return (
    <ServedElement as="section" source={countries} className="el-section" aria-labelledby="countries-title">
      <div className={`el-frame ${styles.root}`}>
        <SectionHeading
          id="countries-title"
          title={count === 1 ? labels.text('oneCountry') : <CountText name="countries" count={count} />}
        />
        <div className={styles.columns}>
          {columns.map((column, columnIndex) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order, and countries may repeat
            <ul key={columnIndex} className={styles.column}>
              {column.map((country, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <li key={index} className={styles.item}>
                  {country.link ? (
                    <Link href={country.link} className={`${styles.row} ${styles.link}`}>
                      <CountryName country={country} />
                      <Icon name="arrow" className={styles.arrow} />
                    </Link>
                  ) : (
                    <span className={styles.row}>
                      <CountryName country={country} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          ))}
        </div>
      </div>
    </ServedElement>
  );
}
