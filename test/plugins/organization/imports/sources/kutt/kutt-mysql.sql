/*M!999999\- enable the sandbox mode */ 
-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: kutt
-- ------------------------------------------------------
-- Server version	10.11.19-MariaDB-0+deb12u1

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;

--
-- Table structure for table `domains`
--

DROP TABLE IF EXISTS `domains`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `domains` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `banned` tinyint(1) NOT NULL DEFAULT 0,
  `banned_by_id` int(10) unsigned DEFAULT NULL,
  `address` varchar(255) NOT NULL,
  `homepage` varchar(255) DEFAULT NULL,
  `user_id` int(10) unsigned DEFAULT NULL,
  `uuid` char(36) NOT NULL DEFAULT uuid(),
  `created_at` datetime NOT NULL DEFAULT current_timestamp(),
  `updated_at` datetime NOT NULL DEFAULT current_timestamp(),
  PRIMARY KEY (`id`),
  UNIQUE KEY `domains_address_unique` (`address`),
  KEY `domains_banned_by_id_foreign` (`banned_by_id`),
  KEY `domains_address_index` (`address`),
  KEY `domains_user_id_index` (`user_id`),
  CONSTRAINT `domains_banned_by_id_foreign` FOREIGN KEY (`banned_by_id`) REFERENCES `users` (`id`),
  CONSTRAINT `domains_user_id_foreign` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE SET NULL
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `domains`
--

LOCK TABLES `domains` WRITE;
/*!40000 ALTER TABLE `domains` DISABLE KEYS */;
INSERT INTO `domains` VALUES
(1,0,NULL,'go.kutt.test','https://example.com/home',2,'827e01ff-ea20-11f1-affe-02fc00000001','2026-11-27 05:07:57','2026-11-27 05:07:57');
/*!40000 ALTER TABLE `domains` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `hosts`
--

DROP TABLE IF EXISTS `hosts`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `hosts` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `address` varchar(255) NOT NULL,
  `banned` tinyint(1) NOT NULL DEFAULT 0,
  `banned_by_id` int(10) unsigned DEFAULT NULL,
  `created_at` datetime NOT NULL DEFAULT current_timestamp(),
  `updated_at` datetime NOT NULL DEFAULT current_timestamp(),
  PRIMARY KEY (`id`),
  UNIQUE KEY `hosts_address_unique` (`address`),
  KEY `hosts_banned_by_id_foreign` (`banned_by_id`),
  KEY `hosts_address_index` (`address`),
  CONSTRAINT `hosts_banned_by_id_foreign` FOREIGN KEY (`banned_by_id`) REFERENCES `users` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `hosts`
--

LOCK TABLES `hosts` WRITE;
/*!40000 ALTER TABLE `hosts` DISABLE KEYS */;
/*!40000 ALTER TABLE `hosts` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `ips`
--

DROP TABLE IF EXISTS `ips`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `ips` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `ip` varchar(255) NOT NULL,
  `created_at` datetime NOT NULL DEFAULT current_timestamp(),
  `updated_at` datetime NOT NULL DEFAULT current_timestamp(),
  PRIMARY KEY (`id`),
  UNIQUE KEY `ips_ip_unique` (`ip`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `ips`
--

LOCK TABLES `ips` WRITE;
/*!40000 ALTER TABLE `ips` DISABLE KEYS */;
/*!40000 ALTER TABLE `ips` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `knex_migrations`
--

DROP TABLE IF EXISTS `knex_migrations`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `knex_migrations` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(255) DEFAULT NULL,
  `batch` int(11) DEFAULT NULL,
  `migration_time` timestamp NULL DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=11 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `knex_migrations`
--

LOCK TABLES `knex_migrations` WRITE;
/*!40000 ALTER TABLE `knex_migrations` DISABLE KEYS */;
INSERT INTO `knex_migrations` VALUES
(1,'20200211220920_constraints.js',1,'2026-11-27 05:07:44'),
(2,'20200510140704_domains.js',1,'2026-11-27 05:07:44'),
(3,'20200718124944_description.js',1,'2026-11-27 05:07:44'),
(4,'20200730203154_expire_in.js',1,'2026-11-27 05:07:44'),
(5,'20200810195255_change_email.js',1,'2026-11-27 05:07:44'),
(6,'20241103083933_user-roles.js',1,'2026-11-27 05:07:44'),
(7,'20241223062111_indexes.js',1,'2026-11-27 05:07:44'),
(8,'20241223103044_visits_user_id.js',1,'2026-11-27 05:07:44'),
(9,'20241223155527_visits_user_id_index.js',1,'2026-11-27 05:07:44'),
(10,'20250106070444_remove_cooldown.js',1,'2026-11-27 05:07:44');
/*!40000 ALTER TABLE `knex_migrations` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `knex_migrations_lock`
--

DROP TABLE IF EXISTS `knex_migrations_lock`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `knex_migrations_lock` (
  `index` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `is_locked` int(11) DEFAULT NULL,
  PRIMARY KEY (`index`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `knex_migrations_lock`
--

LOCK TABLES `knex_migrations_lock` WRITE;
/*!40000 ALTER TABLE `knex_migrations_lock` DISABLE KEYS */;
INSERT INTO `knex_migrations_lock` VALUES
(1,0);
/*!40000 ALTER TABLE `knex_migrations_lock` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `links`
--

DROP TABLE IF EXISTS `links`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `links` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `address` varchar(255) NOT NULL,
  `description` varchar(255) DEFAULT NULL,
  `banned` tinyint(1) NOT NULL DEFAULT 0,
  `banned_by_id` int(10) unsigned DEFAULT NULL,
  `domain_id` int(10) unsigned DEFAULT NULL,
  `password` varchar(255) DEFAULT NULL,
  `expire_in` datetime DEFAULT NULL,
  `target` varchar(2040) NOT NULL,
  `user_id` int(10) unsigned DEFAULT NULL,
  `visit_count` int(11) NOT NULL DEFAULT 0,
  `uuid` char(36) NOT NULL DEFAULT uuid(),
  `created_at` datetime NOT NULL DEFAULT current_timestamp(),
  `updated_at` datetime NOT NULL DEFAULT current_timestamp(),
  PRIMARY KEY (`id`),
  KEY `links_banned_by_id_foreign` (`banned_by_id`),
  KEY `links_domain_id_index` (`domain_id`),
  KEY `links_user_id_index` (`user_id`),
  KEY `links_address_index` (`address`),
  KEY `links_expire_in_index` (`expire_in`),
  CONSTRAINT `links_banned_by_id_foreign` FOREIGN KEY (`banned_by_id`) REFERENCES `users` (`id`),
  CONSTRAINT `links_domain_id_foreign` FOREIGN KEY (`domain_id`) REFERENCES `domains` (`id`),
  CONSTRAINT `links_user_id_foreign` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `links`
--

LOCK TABLES `links` WRITE;
/*!40000 ALTER TABLE `links` DISABLE KEYS */;
INSERT INTO `links` VALUES
(1,'Spring','It\'s spring – “sale”, 50 % \\ off 🌷',0,NULL,NULL,NULL,NULL,'https://example.com/spring?a=1&b=2',1,5,'82824e27-ea20-11f1-affe-02fc00000001','2026-11-27 05:07:57','2026-11-27 05:07:57'),
(2,'secret',NULL,0,NULL,NULL,'$2a$12$wCIbmyuuevrmeG9wXjjRK.JpNWA3fIxVQQx4VPo0dimBhUefo2xNO',NULL,'https://example.com/secret',1,0,'8302c0cd-ea20-11f1-affe-02fc00000001','2026-11-27 05:07:58','2026-11-27 05:07:58'),
(3,'soon-gone',NULL,0,NULL,NULL,NULL,'2026-11-29 05:07:58','https://example.com/',2,0,'830654d7-ea20-11f1-affe-02fc00000001','2026-11-27 05:07:58','2026-11-27 05:07:58'),
(4,'spring',NULL,0,NULL,1,NULL,NULL,'https://example.org/café',2,0,'830cd5b8-ea20-11f1-affe-02fc00000001','2026-11-27 05:07:58','2026-11-27 05:07:58'),
(5,'mail',NULL,0,NULL,NULL,NULL,NULL,'mailto:ada@example.org',2,0,'8311558a-ea20-11f1-affe-02fc00000001','2026-11-27 05:07:58','2026-11-27 05:07:58'),
(6,'bad',NULL,1,1,NULL,NULL,NULL,'https://example.com/bad',2,0,'8319dcd2-ea20-11f1-affe-02fc00000001','2026-11-27 05:07:58','2026-11-27 05:07:59');
/*!40000 ALTER TABLE `links` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `users`
--

DROP TABLE IF EXISTS `users`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `users` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `apikey` varchar(255) DEFAULT NULL,
  `banned` tinyint(1) NOT NULL DEFAULT 0,
  `banned_by_id` int(10) unsigned DEFAULT NULL,
  `email` varchar(255) NOT NULL,
  `role` enum('USER','ADMIN') NOT NULL DEFAULT 'USER',
  `password` varchar(255) NOT NULL,
  `reset_password_expires` datetime DEFAULT NULL,
  `reset_password_token` varchar(255) DEFAULT NULL,
  `change_email_expires` datetime DEFAULT NULL,
  `change_email_token` varchar(255) DEFAULT NULL,
  `change_email_address` varchar(255) DEFAULT NULL,
  `verification_expires` datetime DEFAULT NULL,
  `verification_token` varchar(255) DEFAULT NULL,
  `verified` tinyint(1) NOT NULL DEFAULT 0,
  `created_at` datetime NOT NULL DEFAULT current_timestamp(),
  `updated_at` datetime NOT NULL DEFAULT current_timestamp(),
  PRIMARY KEY (`id`),
  UNIQUE KEY `users_email_unique` (`email`),
  UNIQUE KEY `users_apikey_unique` (`apikey`),
  KEY `users_banned_by_id_foreign` (`banned_by_id`),
  CONSTRAINT `users_banned_by_id_foreign` FOREIGN KEY (`banned_by_id`) REFERENCES `users` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `users`
--

LOCK TABLES `users` WRITE;
/*!40000 ALTER TABLE `users` DISABLE KEYS */;
INSERT INTO `users` VALUES
(1,'QowDOgxP7hgLHegUr7Xuc9yB0mVZStYFaVM5RG09',0,NULL,'ada@example.org','ADMIN','$2a$12$GzW0pFJ0oW2TFmW7lvts3.6IvZRvdaNUavlxNmhMPVAQGfcTDyS7K',NULL,NULL,NULL,NULL,NULL,'2026-11-27 06:07:54','9edfd97a-d361-4f07-9211-5216b2e9678b',1,'2026-11-27 05:07:54','2026-11-27 05:07:55'),
(2,'UlEChptIWieqFgI6pl9mWtTPrg4vK57zuyAYgll6',0,NULL,'grace@example.org','USER','$2a$12$CYDPdCqJEKNPyQKPVvp6kex3KLcSypHIjyrvTsPJJ4l73BUWtSRAy',NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'2026-11-27 05:07:56','2026-11-27 05:07:57');
/*!40000 ALTER TABLE `users` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `visits`
--

DROP TABLE IF EXISTS `visits`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `visits` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `countries` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`countries`)),
  `created_at` datetime NOT NULL DEFAULT current_timestamp(),
  `updated_at` datetime DEFAULT current_timestamp(),
  `link_id` int(10) unsigned DEFAULT NULL,
  `user_id` int(10) unsigned DEFAULT NULL,
  `referrers` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`referrers`)),
  `total` int(11) NOT NULL DEFAULT 0,
  `br_chrome` int(11) NOT NULL DEFAULT 0,
  `br_edge` int(11) NOT NULL DEFAULT 0,
  `br_firefox` int(11) NOT NULL DEFAULT 0,
  `br_ie` int(11) NOT NULL DEFAULT 0,
  `br_opera` int(11) NOT NULL DEFAULT 0,
  `br_other` int(11) NOT NULL DEFAULT 0,
  `br_safari` int(11) NOT NULL DEFAULT 0,
  `os_android` int(11) NOT NULL DEFAULT 0,
  `os_ios` int(11) NOT NULL DEFAULT 0,
  `os_linux` int(11) NOT NULL DEFAULT 0,
  `os_macos` int(11) NOT NULL DEFAULT 0,
  `os_other` int(11) NOT NULL DEFAULT 0,
  `os_windows` int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `visits_link_id_index` (`link_id`),
  KEY `visits_user_id_index` (`user_id`),
  CONSTRAINT `visits_link_id_foreign` FOREIGN KEY (`link_id`) REFERENCES `links` (`id`) ON DELETE CASCADE,
  CONSTRAINT `visits_user_id_foreign` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `visits`
--

LOCK TABLES `visits` WRITE;
/*!40000 ALTER TABLE `visits` DISABLE KEYS */;
INSERT INTO `visits` VALUES
(1,'{\"us\":3,\"gb\":2}','2026-11-27 05:07:58','2026-11-27 05:07:58',1,1,'{\"t[dot]co\":3,\"news[dot]example[dot]com\":1,\"direct\":1}',5,3,0,1,0,0,0,1,0,1,1,0,0,3);
/*!40000 ALTER TABLE `visits` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed on 2026-11-27  5:08:18
