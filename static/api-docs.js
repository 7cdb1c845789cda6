/* The API's document as a page. Reads can be tried here; what changes something is pressed on a tablet or sent by a program. */
"use strict";

SwaggerUIBundle({
  domNode: document.querySelector("#api-docs"),
  url: document.querySelector("#api-docs").dataset.document,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: ["get"],
  validatorUrl: null,
});
