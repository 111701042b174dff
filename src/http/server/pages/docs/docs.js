// Starts Swagger UI. A separate file, because the policy of the page forbids inline scripts.
SwaggerUIBundle({
  url: document.currentScript.dataset.openapi,
  dom_id: '#operations',
  deepLinking: true,
  showExtensions: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
