export const MAIL_SERVER_PACKAGES: readonly string[];
export const DESKTOP_PACKAGES: readonly string[];
export const SPAM_PACKAGES: readonly string[];
export const TEST_PACKAGES: readonly string[];
export function installDebianPackages(names: readonly string[]): void;
export function provideExim(): string;
