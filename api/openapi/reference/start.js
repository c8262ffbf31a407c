const common = {
  persistAuthorization: false,
  // With the browser's credentials, it would ask for a user and a password after a wrong secret.
  requestInterceptor: (request) => ({ ...request, credentials: 'omit' }),
  responseInterceptor(response) {
    if (!/\/openapi(-webhooks)?\.json$/.test(response.url)) return response;
    const shown = JSON.parse(response.text);
    shown.externalDocs.url = new URL(shown.externalDocs.url).pathname;
    if (shown.paths['/oauth2/token']) shown.servers = [{ url: '/v2' }];
    return { ...response, text: JSON.stringify(shown) };
  },
  validatorUrl: null,
};
SwaggerUIBundle({ ...common, url: 'openapi.json', dom_id: '#reference', deepLinking: true });
SwaggerUIBundle({ ...common, url: 'openapi-webhooks.json', dom_id: '#webhooks' });
