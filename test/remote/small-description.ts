/** What the smallest server says of itself. */
export const description = {
  openapi: '3.1.0',
  paths: {
    '/api/v1/export': {
      get: {
        operationId: 'export.show',
        summary: 'Download all',
        responses: { 200: { content: { 'application/jsonl': {} } } },
      },
    },
    '/api/v1/links': {
      get: { operationId: 'links.list', summary: 'List links' },
      post: {
        operationId: 'links.create',
        summary: 'Create a short link',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  original_url: { type: 'string' },
                  password: { type: 'string' },
                  reuse: { type: 'boolean' },
                },
                required: ['original_url'],
              },
            },
          },
        },
        responses: { 201: { content: { 'application/json': {} } } },
      },
    },
  },
}
