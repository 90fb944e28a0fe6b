import type { EntityOf } from '../../../shared/content/content-types.ts';
import type { BlockProps } from '../../../shared/content/landing.ts';
import { CountText } from '../../../shared/labels/count-text.tsx';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Link } from '../../../shared/ui/link.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { SectionHeading } from '../../parts/section-heading.tsx';
import styles from './countries.module.css';

export interface CountriesData {
  /** Columns without ids: forty random ids would add a kilobyte that does not compress. */
  countries: readonly (readonly Omit<EntityOf<'country'>, 'id' | 'name'>[])[];
}

function CountryName({ country }: { country: CountriesData['countries'][number][number] }) {
  return (
    <>
      <span className={styles.flag}>
        {country.image ? (
          <img src={country.image} alt="" width={28} height={20} loading="lazy" className={styles.icon} />
        ) : null}
      </span>
      <span>{country.title}</span>
    </>
  );
}

export default function Countries({ data, id = 'countries' }: BlockProps<CountriesData>) {
  const labels = useLabels();
  const columns = data.countries;
  const count = columns.reduce((sum, column) => sum + column.length, 0);
  return (
    <ServedElement as="section" source={data} className="el-section el-dense" aria-labelledby={`${id}-title`}>
      <div className={`el-frame ${styles.root}`}>
        <SectionHeading
          id={`${id}-title`}
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
                    <Link href={country.link} className={styles.row}>
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
