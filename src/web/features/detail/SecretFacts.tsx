import type { SecretCertificate, SecretContents } from '../../../contract/secrets.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Note } from '../../kit/Note.tsx';
import { Glyph, StatusText } from '../../kit/marks.tsx';
import { certificateState, dayOf } from './secret-text.ts';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { Section, sectionLook } from '../../kit/Section.tsx';

interface SecretFactsProps {
  readonly contents: SecretContents;
  /** The server's clock, ms. */
  readonly now: number;
}

/** The public parts of a Secret: certificates, registries, the owner of a token. */
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
          <FactList>
            {registries.map(({ host, hasPassword }) => (
              <Fact key={host} name={host}>
                {hasPassword ? 'with a password' : 'without a password'}
              </Fact>
            ))}
          </FactList>
        </Section>
      )}
      {identity !== null && (
        <Section title="Token">
          <FactList>
            <Fact name="Service account">{identity.serviceAccount || '–'}</Fact>
            <Fact name="Expires">
              {identity.expiresAt === null
                ? 'Never: it stays until it is deleted'
                : dayOf(identity.expiresAt)}
            </Fact>
          </FactList>
        </Section>
      )}
      {problems.length > 0 && (
        <div className={`${sectionLook} flex flex-col gap-2`}>
          {problems.map((problem) => (
            <Note key={problem} tone="warn" role="status">
              <Glyph tone="warn" size={13} />
              <span className="min-w-0 flex-1">{problem}</span>
            </Note>
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
        {isAuthority && <Badge>authority</Badge>}
      </>,
    ],
    ['Names', names.length === 0 ? '–' : names.map((name) => <div key={name}>{name}</div>)],
    ['Issuer', issuer === subject ? 'itself' : issuer || '–'],
    [
      'Validity',
      <>
        <StatusText {...certificateState(certificate, now)} />
        {` ${dayOf(validFrom)} to ${dayOf(validTo)}`}
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
              <StatusText
                tone="bad"
                label="does not match the certificate: servers will not start with this pair"
              />
            ),
          ],
        ] as const)),
  ];
  return (
    <FactList className="not-first-of-type:mt-2 not-first-of-type:border-t not-first-of-type:border-hairline not-first-of-type:pt-2">
      {lines.map(([label, value]) => (
        <Fact key={label} name={label}>
          {value}
        </Fact>
      ))}
    </FactList>
  );
}
