interface QuotedText {
  /** The section of docs/specification.md that has it. */
  readonly section: number;
  /** Placeholders are written as the specification does: `{name}`, `N`. */
  readonly quote: string;
}

/** A text that the specification quotes to the letter: with the file that shows it, or `later` until its feature is built. */
type Quote = QuotedText & ({ readonly file: string } | { readonly later: true });

const create = 'src/web/features/create/messages.ts';
const parsed = 'src/kube/parsed-values.ts';
const clusterMenu = 'src/web/shell/ClusterMenu.tsx';
const sections = 'src/registry/sidebar.ts';

/** Every message, label and title that the specification quotes, and where the product says it. */
export const specQuotes: readonly Quote[] = [
  // Layout
  { section: 2, quote: 'Pro', file: 'src/web/kit/marks.tsx' },
  { section: 2, quote: 'Create Resource', file: 'src/web/shell/CreateButton.tsx' },
  { section: 2, quote: 'Help', file: 'commands/actions/community.ts' },
  { section: 2, quote: 'Teams', file: 'commands/routes/organisation.ts' },
  { section: 2, quote: 'Settings', file: 'commands/routes/settings.ts' },
  { section: 2, quote: 'Logout', file: 'commands/actions/session.ts' },
  { section: 2, quote: 'Logging out...', file: 'src/web/shell/UserMenuContent.tsx' },
  { section: 2, quote: 'Cluster', file: sections },
  { section: 2, quote: 'Resources', file: sections },
  { section: 2, quote: 'Persistent Volumes', file: sections },
  { section: 2, quote: 'Network', file: sections },
  { section: 2, quote: 'Scalers', file: sections },
  { section: 2, quote: 'Helm', file: sections },
  { section: 2, quote: 'CRDs', file: sections },
  { section: 2, quote: 'Custom Resources', file: 'src/web/shell/SidebarCustom.tsx' },
  { section: 2, quote: 'No Cluster Selected', file: 'src/web/shell/Sidebar.tsx' },
  { section: 2, quote: 'Select Cluster', file: 'src/web/shell/ClusterDropdown.tsx' },
  { section: 2, quote: 'Search clusters...', file: clusterMenu },
  { section: 2, quote: 'Loading...', file: 'src/web/kit/empty-text.ts' },
  { section: 2, quote: 'No clusters found', file: clusterMenu },
  // Create Resource dialog and Parsed Values panel
  { section: 2, quote: 'Select cluster', file: create },
  { section: 2, quote: 'Apply', file: create },
  { section: 2, quote: 'resource.yaml', file: create },
  { section: 2, quote: 'Create Resource', file: create },
  { section: 2, quote: 'Creating...', file: create },
  { section: 2, quote: 'Parsed Values', file: 'src/web/features/create/ParsedPanel.tsx' },
  { section: 2, quote: 'Valid', file: create },
  { section: 2, quote: 'Invalid', file: create },
  { section: 2, quote: 'Enter valid YAML to see parsed values', file: create },
  { section: 3, quote: 'Not specified', file: parsed },
  { section: 3, quote: 'No hosts specified', file: parsed },
  { section: 3, quote: 'No data specified', file: parsed },
  // Subscription dialog
  { section: 2, quote: 'Select a Subscription Plan', file: 'src/web/features/subscription/PlansDialog.tsx' },
  { section: 2, quote: 'Select Plan', file: 'src/web/features/subscription/PlanCard.tsx' },
  { section: 2, quote: 'Proceed to Checkout', file: 'src/web/features/subscription/PlansDialog.tsx' },
  // Shared pieces
  { section: 2, quote: 'Retry', file: 'src/web/kit/ErrorAlert.tsx' },
  { section: 2, quote: 'Loading...', file: 'src/web/kit/Button.tsx' },
  // Rules
  { section: 4, quote: 'Namespace not found: {name}', file: 'src/server/routes/namespaces.ts' },
  { section: 4, quote: 'Namespace not found: {name}', file: 'src/web/workspace/namespace.ts' },
  { section: 5, quote: 'Invalid YAML. Please fix the errors before submitting.', file: create },
  {
    section: 5,
    quote: 'Invalid YAML. Please fix the errors before submitting.',
    file: 'src/server/manifests/objects.ts',
  },
  { section: 5, quote: 'Successfully added N clusters', file: 'src/web/screens/Clusters/batch.ts' },
  { section: 5, quote: 'Successfully added N out of M clusters', file: 'src/web/screens/Clusters/batch.ts' },
  // Error catalogue
  { section: 8, quote: 'An error occurred', file: 'src/contract/problem.ts' },
  { section: 8, quote: 'Failed to load clusters', file: clusterMenu },
  { section: 8, quote: 'Failed to load clusters', file: create },
  { section: 8, quote: 'Failed to create resource: {message}', file: create },
  { section: 8, quote: 'Resource created successfully', file: create },
  { section: 8, quote: 'Error: {parser message}', file: create },
  { section: 8, quote: 'Failed to fetch user settings', file: 'src/contract/user-settings.ts' },
  { section: 8, quote: 'Failed to fetch global settings', file: 'src/contract/cluster-settings.ts' },
  { section: 8, quote: 'Failed to update user settings', file: 'src/contract/user-settings.ts' },
  { section: 8, quote: 'Failed to update global settings', file: 'src/contract/cluster-settings.ts' },
  { section: 8, quote: 'Failed to add webhook', file: 'src/contract/webhooks.ts' },
  { section: 8, quote: 'Failed to delete webhook', file: 'src/contract/webhooks.ts' },
  {
    section: 8,
    quote: 'Failed to load subscription plans. Please try again later.',
    file: 'src/contract/subscription.ts',
  },
  {
    section: 8,
    quote: 'Failed to generate checkout URL. Please try again.',
    file: 'src/contract/subscription.ts',
  },
  {
    section: 8,
    quote: 'Failed to complete the subscription process. Please contact support.',
    file: 'src/contract/subscription.ts',
  },
];
