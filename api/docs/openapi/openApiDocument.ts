export type JsonObject = Record<string, unknown>;

/** An operation of the document, as far as the page reads it. */
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: JsonObject[];
  parameters?: { name: string; in: string; required: boolean; schema: JsonObject }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonObject; example: unknown }> };
  responses: Record<string, JsonObject>;
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security: JsonObject[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonObject>;
    responses: Record<string, JsonObject>;
    headers: JsonObject;
    securitySchemes: JsonObject;
  };
}
