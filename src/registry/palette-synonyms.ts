import { clustersPhrases } from './palette-phrases/clusters.ts';
import { kindsPhrases } from './palette-phrases/kinds.ts';
import { objectsPhrases } from './palette-phrases/objects.ts';
import { organisationPhrases } from './palette-phrases/organisation.ts';
import { settingsPhrases } from './palette-phrases/settings.ts';
import { workspacePhrases } from './palette-phrases/workspace.ts';
import { phrasesIn } from './palette-phrases/phrases.ts';

/** Groups of words that people use for one another; each finds what is named by the others. */
export const synonymGroups: readonly string[] = [
  'shell ssh exec bash sh zsh rsh terminal console tty prompt',
  'log logs output stdout stderr tail',
  'restart reboot bounce recreate redeploy relaunch reload recycle cycle reset respawn',
  'delete remove rm del kill destroy erase trash drop purge nuke wipe terminate discard scrap dispose',
  'scale replicas resize instances copies upscale downscale grow shrink',
  'rollback revert undo back previous restore',
  'edit change modify update alter adjust patch tweak amend',
  'create new add make apply deploy start launch build provision spawn',
  'image version tag upgrade bump release',
  'stop pause suspend halt freeze disable deactivate hold',
  'resume unpause continue unsuspend enable activate reactivate unfreeze',
  'run trigger execute launch start invoke',
  'split pane panes tile tiles side divide',
  'screen window view layout',
  'tab tabs',
  'theme dark light night colour color colours colors mode appearance skin',
  'link url share permalink address',
  'copy clipboard yank duplicate clone',
  'cluster clusters context contexts ctx kubectx environment',
  'namespace namespaces ns kubens project',
  'organisation organization company tenant workspace account org firm',
  'member members user users people person colleague colleagues coworker coworkers teammate teammates somebody someone employee employees staff',
  'invite invites invitation invitations onboard',
  'team teams group groups',
  'permission permissions rights right access rbac privilege privileges allowed authorisation authorization',
  'password passphrase passcode',
  'signin login sign-in authentication auth credentials',
  '2fa mfa otp totp passkey passkeys webauthn yubikey fido two-factor security',
  'logout signout exit quit',
  'notification notifications notify alert alerts bell alarm inbox',
  'follow watch subscribe unfollow monitor',
  'webhook webhooks slack hook callback',
  'shortcut shortcuts key keys hotkey hotkeys keyboard keybinding keybindings keymap binding',
  'setting settings preferences preference options config configuration',
  'compare diff difference differences versus vs',
  'graph topology map tree relations dependencies diagram picture drawing relationships connections architecture',
  'dashboard overview health summary status explorer capacity healthy',
  'usage utilisation utilization consumption load metrics metric cpu memory ram',
  'broken failing failed unhealthy errors error problems problem issues issue crashing crash crashed crashloop bad degraded wrong trouble red',
  'why reason cause diagnose diagnosis troubleshoot debug explain',
  'filter search find grep query lookup narrow',
  'sort order arrange',
  'save export download store',
  'export csv excel spreadsheet xls xlsx',
  'audit history trail activity changelog',
  'token tokens apikey pat',
  'plan billing bill subscription invoice invoices payment payments price prices pricing cost costs licence license licences licenses receipt receipts',
  'sidebar navigation menu',
  'fullscreen maximise maximize zoom enlarge',
  'chat ai assistant gpt llm bot copilot',
  'yaml manifest spec definition raw source json',
  'label labels',
  'annotate annotation annotations',
  'network networking',
  'firewall netpol networkpolicy',
  'ingress host hostname domain route routing vhost',
  'service services svc endpoint loadbalancer balancer port ports',
  'volume volumes disk storage pvc pv persistent',
  'secret secrets password credential certificate certificates cert certs tls',
  'configmap configmaps config env environment variables vars variable envvars',
  'autoscaler autoscalers autoscaling hpa autoscale',
  'cronjob cronjobs cron schedule scheduled',
  'job jobs batch task tasks',
  'pod pods container containers po',
  'deployment deployments deploy workload workloads app apps application applications',
  'node nodes machine machines server servers host vm worker workers',
  'event events',
  'helm chart charts release releases',
  'quota quotas limit limits',
  'cordon unschedulable taint maintenance',
  'drain evacuate empty',
  'recording recordings replay recorded',
  'temporary elevate jit sudo',
  'close shut dismiss',
  'open show view go goto display see',
  'all every everything',
  'dense compact density denser tight spacing',
  'font text letters size',
  'organise organize arrange',
  'minimise minimize shrink collapse hide',
  'approve accept grant allow give',
  'revoke withdraw cancel',
  'rename name',
  'email mail e-mail',
  'owner owners admin admins administrator administrators superuser',
  'production prod live',
  'help support assistance',
  'remember bookmark bookmarks favourite favourites favorite favorites star pin saved',
  'clean cleanup clear',
  'difference drift',
  'restriction restrictions policy policies rule rules',
  'recent latest newest last',
  'hpa autoscaling keda',
  'ingress ingresses urls url website domains',
];

/** The phrases of a command, by its id, and whether they find it only where it acts on what is at hand. */
interface Found {
  readonly phrases: readonly string[];
  readonly isForAny: boolean;
}

const foundById = new Map<string, Found>();
for (const [ids, text] of Object.entries({
  ...clustersPhrases,
  ...kindsPhrases,
  ...objectsPhrases,
  ...organisationPhrases,
  ...settingsPhrases,
  ...workspacePhrases,
})) {
  const phrases = phrasesIn(text);
  for (const [at, id] of ids.split(' ').entries()) foundById.set(id, { phrases, isForAny: at === 0 });
}

/** Ids of the commands that have phrases. */
export const idsWithPhrases: readonly string[] = [...foundById.keys()];

/**
 * The phrases that people type for a command. Like keywords these are found whole or by their words; unlike them they are no
 * names of an act on an object.
 */
export function searchPhrases(id: string, isOnSubject: boolean): readonly string[] {
  const found = foundById.get(id);
  return found === undefined || !(found.isForAny || isOnSubject) ? [] : found.phrases;
}
