//! Random models.
