import { useMutation } from '@tanstack/react-query';
import type { ChatModel } from '../../../contract/chat-model.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { providerTitles } from './provider-titles.ts';

const modeTitles: Readonly<Record<ChatModel['clusters'][number]['chatMode'], string>> = {
  model: 'rules and model',
  rules: 'rules alone',
  off: 'chat turned off',
};

/** Data that the model receives: the provider, what it is told, what it is not, and on which clusters. */
export function Receiver({ chatModel }: { readonly chatModel: ChatModel }) {
  const { entered, environment, clusters } = chatModel;
  const { api, queries, queryClient } = useData();
  const { registry } = useCommands();
  const test = useMutation({
    mutationFn: () => api.testChatModel({}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queries.chatModel.queryKey }),
  });
  const used = entered === null ? environment : { ...entered, origin: new URL(entered.baseUrl).origin };
  return (
    <SetCard title="Data that the model receives">
      {used === null ? (
        <p className="text-text-2">
          There is no model: questions are answered by rules, and nothing leaves the console. Enter a model
          below.
        </p>
      ) : (
        <>
          <FactList>
            <Fact name="Model">{used.model}</Fact>
            <Fact name="Provider">
              {providerTitles[used.provider]} at <span className="mono wrap-anywhere">{used.origin}</span>
            </Fact>
            <Fact name="Named by">
              {entered === null ? 'the environment of this console' : 'an Owner, on this page'}
            </Fact>
            <Fact name="Receives">
              Questions and earlier answers, what the rules find, and what its tools read with the permissions
              of the person who asks: objects with the values of ConfigMaps, arguments and annotations,
              events, log lines, relations, usage, rollouts, Helm releases and changes. For Owners, changes
              include entries of the audit. What is not selected below is left out.
            </Fact>
            <Fact name="Never receives">
              Values of Secrets and of environment variables, Helm values, and copies of them in annotations.
              Texts are sent without passwords, tokens, keys, private keys of certificates, kubeconfigs and
              credentials in addresses; ConfigMaps, arguments and log lines without values whose keys name
              secrets, such as pin or code. People are numbered instead of named by their email addresses; all
              other names stay visible.
            </Fact>
          </FactList>
          <div className="flex min-w-0 flex-wrap items-center gap-2">
            <Button
              variant="secondary"
              isLoading={test.isPending}
              loadingText="Testing..."
              onClick={() => test.mutate()}
            >
              Test the model
            </Button>
            <span className="text-xs text-text-3">Sends one small request with the saved settings.</span>
          </div>
        </>
      )}
      <ErrorAlert error={test.error} />
      <div role="status">
        {test.data !== undefined && !test.isPending && (
          <Note tone={test.data.ok ? 'info' : 'bad'}>
            <Glyph tone={test.data.ok ? 'ok' : 'bad'} size={13} />
            <p className="min-w-0 flex-1 wrap-anywhere">{test.data.sentence}</p>
          </Note>
        )}
      </div>
      {clusters.length > 0 && (
        <section className="flex flex-col gap-1.5" aria-label="Chats of the clusters">
          <h3 className="font-medium">Clusters</h3>
          <ul className="flex flex-col">
            {clusters.map(({ id, name, chatMode }) => (
              <li key={id} className="flex min-w-0 flex-wrap items-baseline gap-x-2 py-0.5">
                <PlaceLink href={registry.href('cluster.globalSettings', { clusterId: String(id) })}>
                  {name}
                </PlaceLink>
                <span className="text-text-2">
                  {modeTitles[used === null && chatMode === 'model' ? 'rules' : chatMode]}
                </span>
              </li>
            ))}
          </ul>
          <p className="text-xs text-text-2">Each cluster’s settings for everyone say who answers.</p>
        </section>
      )}
    </SetCard>
  );
}
