/** What the specification has the dialog say, word by word. Compared with the product's words, and with its screen. */
export const specified = {
  title: 'Create Resource via YAML',
  selectCluster: 'Select cluster',
  apply: 'Apply',
  cancel: 'Cancel',
  create: 'Create Resource',
  creating: 'Creating...',
  valid: 'Valid',
  invalid: 'Invalid',
  nothingParsed: 'Enter valid YAML to see parsed values',
  invalidYaml: 'Invalid YAML. Please fix the errors before submitting.',
  clustersFailed: 'Failed to load clusters',
  created: 'Resource created successfully',
  fileName: 'resource.yaml',
  parseError: 'Error: {message}',
  failed: 'Failed to create resource: {message}',
} as const;

/** Words of the panel beside the editor, for what a manifest lacks. */
export const specifiedValues = {
  notSpecified: 'Not specified',
  namespace: 'default',
  replicas: '1',
  serviceType: 'ClusterIP',
  host: '*',
  noHosts: 'No hosts specified',
  noData: 'No data specified',
  secretType: 'Opaque',
} as const;
