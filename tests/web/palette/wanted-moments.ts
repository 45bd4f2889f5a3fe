import type { Wanted } from './wanted.ts';

/** On home, where no cluster is selected. */
export const home: Wanted = [
  ['pods', 'Pods (@prod-eu)'],
  ['po', 'Pods (@prod-eu)'],
  ['deployments', 'Deployments (@prod-eu)'],
  ['checkout', 'checkout (Deployment)'],
  ['restart checkout', 'checkout: Restart (Deployment)'],
  ['checkout logs', 'checkout: Logs (Deployment)'],
  ['pods staging', 'Pods (@staging)'],
  ['staging', 'staging'],
  ['prod', 'prod-eu'],
  ['clusters', 'Clusters'],
  ['add cluster', 'Clusters'],
  ['settings', 'Settings'],
  ['pending', 'Pending pods (@prod-eu)'],
  ['switch', 'Switch cluster…'],
  ['copy link', 'Copy link to this tab'],
];

/** In the list of pods, on one of checkout's. */
export const podRow: Wanted = [
  ['namespaces', 'Namespaces'],
  ['clusters', 'Clusters'],
  ['logs', 'Logs'],
  ['log', 'Logs'],
  ['tail', 'Logs'],
  ['shell', 'Shell'],
  ['exec', 'Shell'],
  ['bash', 'Shell'],
  ['attach', 'Attach'],
  ['describe', 'Open'],
  ['open', 'Open'],
  ['details', 'Open'],
  ['yaml', 'YAML'],
  ['edit', 'Edit YAML'],
  ['delete', 'Delete…'],
  ['delete pod', 'Delete…'],
  ['pod delete', 'Delete…'],
  ['remove', 'Delete…'],
  ['kill', 'Delete…'],
  ['kill pod', 'Delete…'],
  ['force delete', 'Force delete…'],
  ['evict', 'Evict…'],
  ['label', 'Label…'],
  ['restart', 'Restart… (Deployment)'],
  ['copy', 'Copy name'],
  ['copy name', 'Copy name'],
  ['copy kubectl', 'Copy kubectl command'],
  ['kubectl', 'Copy kubectl command'],
  ['copy link', 'Copy link'],
  ['compare', 'Compare'],
  ['graph', 'Show graph of this'],
  ['delte', 'Delete…'],
  ['shlel', 'Shell'],
  ['filter', 'Filter'],
  ['search', 'Filter'],
  ['failing', 'Only unhealthy objects'],
  ['unhealthy', 'Only unhealthy objects'],
  ['broken', 'Only unhealthy objects'],
  ['only broken', 'Only unhealthy objects'],
  ['sort by restarts', 'Sort by restarts'],
  ['sort by age', 'Sort by age'],
  ['columns', 'Wide table'],
  ['wide', 'Wide table'],
  ['export', 'Save the list as CSV'],
  ['csv', 'Save the list as CSV'],
  ['refresh', 'Try again now'],
  ['all namespaces', 'Show all namespaces'],
  ['select all', 'Select all visible rows'],
  ['pending', 'Pending pods'],
  ['save filter', 'Save this filter…'],
];

/** In the list of pods with three of them selected. */
export const selection: Wanted = [
  ['delete', 'Delete… (3 selected)'],
  ['kill', 'Delete… (3 selected)'],
  ['logs', 'Logs (3 selected)'],
  ['evict', 'Evict… (3 selected)'],
  ['copy', 'Copy name (3 selected)'],
];

/** On the page of the deployment checkout. */
export const deploymentPage: Wanted = [
  ['restart', 'Restart'],
  ['restart deployment', 'Restart'],
  ['scale', 'Scale…'],
  ['scale 5', 'checkout: Scale to 5 (Deployment)'],
  ['scale to 7', 'checkout: Scale to 7 (Deployment)'],
  ['5 replicas', 'checkout: Scale to 5 (Deployment)'],
  ['replicas 5', 'checkout: Scale to 5 (Deployment)'],
  ['scale this to 2', 'checkout: Scale to 2 (Deployment)'],
  ['logs', 'Logs'],
  ['delete', 'Delete…'],
  ['delete deployment', 'Delete…'],
  ['delete pod', 'Delete… (another object)'],
  ['delete pods', 'Delete… (another object)'],
  ['delete svc', 'Delete… (another object)'],
  ['kill', 'Delete…'],
  ['edit', 'Edit YAML'],
  ['yaml', 'YAML'],
  ['manifest', 'YAML'],
  ['roll back', 'Roll back…'],
  ['rollback', 'Roll back…'],
  ['undo', 'Roll back…'],
  ['rollout undo', 'Roll back…'],
  ['revert', 'Roll back…'],
  ['compare', 'Compare'],
  ['diff', 'Compare'],
  ['graph', 'Show graph of this'],
  ['set image', 'Set image…'],
  ['image', 'Set image…'],
  ['label', 'Label…'],
  ['annotate', 'Annotate…'],
  ['pause', 'Pause rollout'],
  ['resume', 'Resume rollout'],
  ['copy', 'Copy name'],
  ['copy kubectl', 'Copy kubectl command'],
  ['copy link', 'Copy link'],
  ['restart checkout', 'checkout: Restart (Deployment)'],
  ['logs postgres', 'postgres: Logs (StatefulSet)'],
  ['restrat', 'Restart'],
  ['checkout', 'checkout (Deployment)'],
  ['pods', 'Pods'],
  ['staging', 'staging'],
];

/** In the list of nodes, on one. */
export const nodeRow: Wanted = [
  ['drain', 'Drain…'],
  ['drain node', 'Drain…'],
  ['evacuate', 'Drain…'],
  ['cordon', 'Cordon'],
  ['uncordon', 'Uncordon'],
  ['maintenance', 'Cordon'],
  ['delete', 'Delete…'],
  ['yaml', 'YAML'],
  ['describe', 'Open'],
  ['label', 'Label…'],
  ['copy', 'Copy name'],
  ['notready', 'NotReady nodes'],
];

/** In the log of a pod. */
export const log: Wanted = [
  ['search', 'Search the log'],
  ['find', 'Search the log'],
  ['grep', 'Search the log'],
  ['follow', 'Follow the log'],
  ['tail', 'Follow the log'],
  ['wrap', 'Wrap lines'],
  ['previous', 'The run before'],
  ['previous run', 'The run before'],
  ['last crash', 'The run before'],
  ['copy', 'Copy what is shown'],
  ['download', 'Download the whole log'],
  ['save', 'Download the whole log'],
  ['timestamps', 'Next time format'],
  ['pause', 'Pause or resume the log'],
  ['container', 'Next container'],
  ['regex', 'Use regular expression'],
  ['shell', 'Shell'],
  ['exec', 'Shell'],
  ['delete', 'Delete…'],
  ['delete pod', 'Delete…'],
  ['yaml', 'YAML'],
];

/** On the page of a Helm release. */
export const release: Wanted = [
  ['rollback', 'Roll back…'],
  ['roll back', 'Roll back…'],
  ['undo', 'Roll back…'],
  ['uninstall', 'Uninstall…'],
  ['delete', 'Uninstall…'],
  ['remove', 'Uninstall…'],
  ['manifest', 'YAML'],
  ['history', 'History of a Helm release…'],
  ['copy', 'Copy name'],
];

/** On the row of a deployment, for somebody who may only view. */
export const viewer: Wanted = [
  ['logs', 'Logs'],
  ['describe', 'Open'],
  ['yaml', 'YAML'],
  ['copy', 'Copy name'],
  ['restart', 'nothing that changes'],
  ['restart checkout', 'nothing that changes'],
  ['scale checkout 5', 'nothing that changes'],
  ['delete', 'nothing that changes'],
  ['shell', 'nothing that changes'],
  ['secrets', 'nothing that changes'],
  ['pods', 'Pods'],
  ['checkout', 'checkout (Deployment)'],
];

/** On the list of deployments, in the only tile. */
export const oneTile: Wanted = [
  ['maximize', 'Full screen, or the window again'],
  ['full screen', 'Full screen, or the window again'],
  ['fullscreen', 'Full screen, or the window again'],
];

/** With two tiles, on the dashboard. */
export const tiles: Wanted = [
  ['maximize', 'Maximise tile, or show all again'],
  ['full screen', 'Maximise tile, or show all again'],
  ['fullscreen', 'Maximise tile, or show all again'],
  ['zoom', 'Maximise tile, or show all again'],
  ['close tile', 'Close tile'],
  ['close split', 'Close tile'],
  ['wider', 'Make tile wider'],
  ['equalize', 'Make tiles the same size'],
  ['equal', 'Make tiles the same size'],
  ['next tile', 'Go to the next tile'],
];

/** While a change is held and may still be taken back. */
export const held: Wanted = [
  ['undo', 'Undo the change that is about to be sent'],
  ['cancel', 'Undo the change that is about to be sent'],
];
