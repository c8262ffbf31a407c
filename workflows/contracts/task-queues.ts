export const taskQueues = {
  lifecycle: 'lead-lifecycle',
  webhooks: 'lead-webhooks',
  dncr: 'lead-dncr',
} as const;
