import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AuditStream, auditStreamCap } from '../../../contract/audit-stream.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { SaveRow } from '../../kit/SaveRow.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { useForm } from '../../kit/use-form.ts';
import { momentText } from './EntryDetail.tsx';

/** Where the audit is sent, how far it got, and the form that sets it. */
export function Stream() {
  const { queries } = useData();
  const { data, error, refetch, isFetching } = useQuery(queries.auditStream);
  return (
    <SetCard title="Stream to a SIEM">
      <p className="max-w-[70ch] text-text-2">
        New rows of the audit are sent as JSON lines, in order and at least once. While the receiver does not
        answer, up to {auditStreamCap.toLocaleString('en')} rows wait. If more do, the earliest are skipped: a
        line of the stream and an entry of the audit record the gap.
      </p>
      <ErrorAlert
        title="Could not load the audit stream."
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
      {data !== undefined && (
        <>
          {data.stream !== null && <Progress stream={data.stream} />}
          <StreamForm stream={data.stream} />
        </>
      )}
    </SetCard>
  );
}

function Progress({ stream }: { readonly stream: AuditStream }) {
  const { origin, hasSecret, setAt, position, confirmedAt, waiting, problem, failedAt, difference } = stream;
  return (
    <>
      <FactList>
        <Fact name="Receiver">
          <span className="mono wrap-anywhere">{origin}</span>, {hasSecret ? 'with' : 'without'} a secret, set
          on {momentText(setAt)}
        </Fact>
        <Fact name="Delivered">
          {confirmedAt === null ? 'Nothing yet' : `Up to row ${position}, ${momentText(confirmedAt)}`}
        </Fact>
        <Fact name="Waiting">{waiting === 1 ? '1 row' : `${waiting} rows`}</Fact>
      </FactList>
      <div role="status" className="flex flex-col gap-2">
        {problem !== null && failedAt !== null && (
          <Note tone="warn">
            <Glyph tone="warn" size={13} />
            <p className="min-w-0 flex-1 wrap-anywhere">
              {problem} Last tried {momentText(failedAt)}; it is tried again by itself.
            </p>
          </Note>
        )}
        {difference !== null && (
          <Note tone="bad">
            <Glyph tone="bad" size={13} />
            <p className="min-w-0 flex-1 wrap-anywhere">
              {difference} Nothing more is sent. Ask the operator to check the audit, and compare it with what
              the receiver has. To start again, remove the stream and set it up anew.
            </p>
          </Note>
        )}
      </div>
    </>
  );
}

/** Asks for address and secret. Neither is shown again, so both are entered together. */
function StreamForm({ stream }: { readonly stream: AuditStream | null }) {
  const { services } = useCommands();
  const { api, queries, queryClient } = useData();
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [isAsking, setAsking] = useState(false);
  const form = useForm(async () => {
    const entered = secret.trim() === '' ? {} : { secret: secret.trim() };
    const saved = await api.saveAuditStream({ body: { url, ...entered } });
    queryClient.setQueryData(queries.auditStream.queryKey, saved);
    setUrl('');
    setSecret('');
    services.toast.success('Audit stream saved');
  });
  return (
    <form className={`max-w-120 ${formLook}`} onSubmit={form.submit} aria-label="Audit receiver">
      <ErrorAlert error={form.failure} />
      <TextField
        label={stream === null ? 'Address' : 'New address'}
        required
        type="url"
        maxLength={2_000}
        autoComplete="off"
        spellCheck={false}
        placeholder="https://siem.example.org/services/collector/raw"
        help="It must accept JSON lines by POST. It is stored encrypted, and only its host is shown again. Private addresses work only if the operator allows them."
        value={url}
        error={form.issue('url')}
        onChange={({ target }) => setUrl(target.value)}
      />
      <TextField
        label="Secret"
        type="password"
        maxLength={2_000}
        autoComplete="off"
        help="The value of the Authorization header, such as “Splunk …” or “Bearer …”. A secret that begins with whsec_ signs by Standard Webhooks instead. It is stored encrypted and never shown again. Saving an address without a secret removes the old one."
        value={secret}
        error={form.issue('secret')}
        onChange={({ target }) => setSecret(target.value)}
      />
      <SaveRow
        form={form}
        isChanged={url !== '' || secret !== ''}
        reason={url.trim() === '' && secret !== '' ? 'Fill in the address.' : undefined}
      />
      {stream !== null && (
        <div>
          <Button variant="danger" onClick={() => setAsking(true)}>
            Remove the stream…
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Remove the stream?"
          act="Remove"
          acting="Removing..."
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.removeAuditStream({});
            queryClient.setQueryData(queries.auditStream.queryKey, { stream: null });
            setAsking(false);
          }}
        >
          <p>
            Nothing more is sent to the receiver, and its address and secret are deleted. The audit stays. A
            stream that is set later begins with the earliest row that is kept.
          </p>
        </ConfirmDialog>
      )}
    </form>
  );
}
