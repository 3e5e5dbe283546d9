"""The language server: the protocol of editors over `lts.editor`, in `server`."""
