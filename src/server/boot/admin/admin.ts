import { resolve } from 'node:path';
import { Problem } from '../../../contract/problem.ts';
import { readConfig } from '../../kit/config.ts';
import { describeError } from '../../kit/describe-error.ts';
import { StartError } from '../../kit/start-error.ts';
import { limitCiphers } from '../../kit/tls-ciphers.ts';
import { explainCommand } from './explain.ts';
import { exportInstallation, importInstallation } from './transfer.ts';
import { liftRuleCommand } from './lift-rule.ts';
import { lostKeysCommand } from './lost-keys.ts';
import { localOwnerCommand } from './local-owner.ts';
import { auditCommand } from './verify-audit.ts';
import { removePasskeysCommand } from './remove-passkeys.ts';
import { resetLinkCommand } from './reset-link.ts';
import { requireRestoredArgument, restoredCommand } from './restored.ts';
import { resetPasswordCommand } from './reset-password.ts';
import { letFoundCommand, setupLinkCommand } from './setup-link.ts';
import type { AdminContext } from './context.ts';

const help = `Operator commands. They work while the server runs and while it is stopped; import and lost-keys give-up
need it stopped.

  npm run admin -- reset-password EMAIL   gives a person a new password and ends their sessions;
                                          the password is read from standard input, or made up and printed
  npm run admin -- reset-link EMAIL       prints a link by which a person chooses a new password
  npm run admin -- setup-link             prints a link by which one person can create one organisation
  npm run admin -- setup-link EMAIL       lets somebody who has an account found one without a link, also where
                                          they sign in by a provider alone
  npm run admin -- remove-passkeys EMAIL  removes the passkeys of somebody who has lost them, and ends the
                                          sessions that they opened
  npm run admin -- local-owner EMAIL ORGANISATION
                                          makes somebody an Owner who signs in by password even where
                                          the organisation's identity provider is enforced
  npm run admin -- lift-rule RULE ORGANISATION
                                          lifts a rule of an organisation that nobody there can meet:
                                          passkeys, passkeys-at-acts or two-approvers
  npm run admin -- explain --person EMAIL --cluster CLUSTER
                                          prints what the person waited for in the last 15 minutes on each running
                                          server, and how the cluster answered; CLUSTER is its name or number
  npm run admin -- export FILE            writes the whole installation into a new file
  npm run admin -- import FILE            fills an empty installation from such a file, and does what restored does
                                          (also with --keep-tokens)
  npm run admin -- restored               after a restore: ends all sessions and revokes all API tokens, since what was
                                          revoked after the backup cannot be known; an import does it by itself
  npm run admin -- restored --keep-tokens the same, but lists the API tokens by name instead of revoking them
  npm run admin -- lost-keys              lists what cannot be opened with the keys at hand
  npm run admin -- lost-keys give-up      gives exactly that up, after a sentence that has to be typed
  npm run admin -- audit verify           checks that no row of the audit was changed or removed, and that it has
                                          what receivers of its streams have confirmed
  npm run admin -- audit verify FILE      compares it as well with lines that such a receiver has, one JSON each

They use the same settings as the server: WHEELHOUSE_DATA, or DATABASE_URL with WHEELHOUSE_SECRET_KEY.
An export contains credentials encrypted as in the database; the key (secret.key in the data folder, or
WHEELHOUSE_SECRET_KEY) is not in it and has to be copied as well.`;

type Command = (context: AdminContext, argument: string | undefined) => Promise<void>;

/** Commands whose argument may be left out. */
const optionalCommands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'setup-link',
    (context, email) => (email === undefined ? setupLinkCommand(context) : letFoundCommand(context, email)),
  ],
  ['restored', restoredCommand],
  ['lost-keys', (context, task) => lostKeysCommand(context, task, process.stdin)],
]);

/** Runs `npm run admin -- …`; returns the exit code. */
export async function runAdmin(argv: readonly string[]): Promise<number> {
  limitCiphers();
  const [command, argument, ...more] = argv;
  const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
  if (command === undefined || command === 'help' || command === '--help') {
    say(help);
    return 0;
  }
  try {
    const { config, problems, warnings } = readConfig(process.env);
    for (const sentence of warnings) console.error(sentence);
    if (config === null) throw new StartError(problems);
    const context = { config: { ...config, isBesideServer: command !== 'import' }, say };
    if (command === 'explain') {
      await explainCommand(context, argv.slice(1));
      return 0;
    }
    const withoutNeed = more.length === 0 ? optionalCommands.get(command) : undefined;
    if (withoutNeed !== undefined) {
      await withoutNeed(context, argument);
      return 0;
    }
    const [third, ...rest] = more;
    const isOfCompany = command === 'local-owner' || command === 'lift-rule';
    const isComplete = command === 'audit' || command === 'import' || (third !== undefined) === isOfCompany;
    if (argument === undefined || rest.length > 0 || !isComplete) throw new StartError(help);
    const pathOf = (path: string) => resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
    const file = pathOf(argument);
    if (command === 'reset-password') await resetPasswordCommand(context, argument, process.stdin);
    else if (command === 'local-owner') await localOwnerCommand(context, argument, third ?? '');
    else if (command === 'lift-rule') await liftRuleCommand(context, argument, third ?? '');
    else if (command === 'remove-passkeys') await removePasskeysCommand(context, argument);
    else if (command === 'reset-link') await resetLinkCommand(context, argument);
    else if (command === 'audit')
      await auditCommand(context, argument, third === undefined ? undefined : pathOf(third));
    else if (command === 'export') await exportInstallation(context, file);
    else if (command === 'import') {
      requireRestoredArgument(third);
      await importInstallation(context, file);
      await restoredCommand(context, third);
    } else throw new StartError(`There is no operator command "${command}".\n\n${help}`);
    return 0;
  } catch (error) {
    if (error instanceof StartError) for (const sentence of error.sentences) console.error(sentence);
    else if (error instanceof Problem) console.error(error.title);
    else
      console.error(
        'The command failed because of an unexpected error:',
        JSON.stringify(describeError(error)),
      );
    return 1;
  }
}
