import type { SecretCertificate, SecretContents } from '../../../contract/secrets.ts';
import { Glyph, StatusText } from '../../ui/marks.tsx';
import { certificateState, dayOf } from './secret-text.ts';
import { Section } from './Section.tsx';

interface SecretFactsProps {
  readonly contents: SecretContents;
  /** The server's clock, ms. */
  readonly now: number;
}

/** What a Secret says in public: certificates, registries, whose token it is. */
export function SecretFacts({ contents, now }: SecretFactsProps) {
  const { certificates, registries, identity, problems } = contents;
  return (
    <>
      {certificates.length > 0 && (
        <Section title="Certificates" about={certificates.length}>
          {certificates.map((one, index) => (
            <CertificateFacts key={`${one.key} ${index}`} certificate={one} now={now} />
          ))}
        </Section>
      )}
      {registries.length > 0 && (
        <Section title="Registries" about={registries.length}>
          <dl className="kv">
            {registries.map(({ host, hasPassword }) => (
              <div key={host} className="kv-line">
                <dt className="break">{host}</dt>
                <dd>{hasPassword ? 'with a password' : 'without a password'}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      {identity !== null && (
        <Section title="Token">
          <dl className="kv">
            <div className="kv-line">
              <dt>Service account</dt>
              <dd>{identity.serviceAccount || '–'}</dd>
            </div>
            <div className="kv-line">
              <dt>Expires</dt>
              <dd>
                {identity.expiresAt === null
                  ? 'Never: it lasts until it is deleted'
                  : dayOf(identity.expiresAt)}
              </dd>
            </div>
          </dl>
        </Section>
      )}
      {problems.length > 0 && (
        <div className="sect notes">
          {problems.map((problem) => (
            <div key={problem} className="note warn" role="status">
              <Glyph tone="warn" size={13} />
              <span className="grow">{problem}</span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function CertificateFacts({
  certificate,
  now,
}: {
  readonly certificate: SecretCertificate;
  readonly now: number;
}) {
  const { key, subject, names, issuer, validFrom, validTo, isAuthority, fitsKey } = certificate;
  const lines: readonly (readonly [string, React.ReactNode])[] = [
    ['Key', key],
    [
      'Subject',
      <>
        {subject || '–'}
        {isAuthority && <span className="badge">authority</span>}
      </>,
    ],
    ['Names', names.length === 0 ? '–' : names.map((name) => <div key={name}>{name}</div>)],
    ['Issuer', issuer === subject ? 'itself' : issuer || '–'],
    [
      'Validity',
      <>
        <StatusText {...certificateState(certificate, now)} />
        <span className="sec">
          {' '}
          {dayOf(validFrom)} to {dayOf(validTo)}
        </span>
      </>,
    ],
    ...(fitsKey === null
      ? []
      : ([
          [
            'Private key',
            fitsKey ? (
              'belongs to it'
            ) : (
              <StatusText tone="bad" label="does not belong to it: servers will not start with this pair" />
            ),
          ],
        ] as const)),
  ];
  return (
    <dl className="kv certificate">
      {lines.map(([label, value]) => (
        <div key={label} className="kv-line">
          <dt>{label}</dt>
          <dd className="break">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
