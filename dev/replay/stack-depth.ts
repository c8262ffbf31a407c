/** Loaded before the sandbox freezes its globals. The SDK's own frames alone would fill the default of 10. */
Error.stackTraceLimit = 40;
