import type { BundleOptions } from '@temporalio/worker';

/** Returns another source for a file of the workflows, or the same. */
export type TransformSource = (file: string, source: string) => string;

interface LoaderContext {
  resourcePath: string;
  getOptions(): { transform: TransformSource };
}

/** A loader of webpack, which hands it each file before its types are stripped. */
export default function transformSource(this: LoaderContext, source: string): string {
  return this.getOptions().transform(this.resourcePath, source);
}

/** Options of a bundle whose files in `folder` are changed as they are read. */
export function transformed(folder: string, transform: TransformSource) {
  return {
    webpackConfigHook(config) {
      const use = { loader: import.meta.filename, options: { transform } };
      config.module?.rules?.push({ test: /\.ts$/, include: folder, enforce: 'pre', use });
      return config;
    },
  } satisfies Partial<BundleOptions>;
}
