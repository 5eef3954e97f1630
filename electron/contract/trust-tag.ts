/** The name of a trust tag of ACL2's, with or without its colon. */
export const TRUST_TAG = /^:?[^\s()'`,;"|#:]{1,199}$/;
